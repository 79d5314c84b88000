import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** One import or re-export line. */
export interface ImportLine {
  /** A source file's path as `file` of `SourceFile` has it, or a package name with its path. */
  readonly target: string;
  /** Only types come in: nothing of the target runs because of this line. */
  readonly typeOnly: boolean;
  /** The target is loaded when the line runs, not with the file. */
  readonly isLater?: true;
}

/** What the house rules need to know of one source file. */
export interface SourceFile {
  /** Path below the folder read, with `/`. */
  readonly file: string;
  readonly imports: readonly ImportLine[];
  /** Names of the environment that are read as soon as the file is imported. */
  readonly topLevelReads: readonly string[];
}

/** Reads every TypeScript file below a folder. */
export function readSources(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.split(path.sep).join('/'))
    .sort()
    .map((file) => parseSource(file, readFileSync(path.join(folder, file), 'utf8')));
}

/** Reads one source file from its text. */
export function parseSource(file: string, text: string): SourceFile {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return { file, imports: importLines(source), topLevelReads: [...new Set(topLevelReads(source))] };
}

function importLines(source: ts.SourceFile): ImportLine[] {
  const lines: ImportLine[] = [];
  const add = (specifier: ts.Node | undefined, typeOnly: boolean, more: { isLater?: true } = {}) => {
    if (!specifier || !ts.isStringLiteral(specifier)) return;
    lines.push({ target: resolve(source, specifier.text), typeOnly, ...more });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      add(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
    } else if (ts.isExportDeclaration(node)) {
      add(node.moduleSpecifier, node.isTypeOnly);
    } else if (ts.isImportTypeNode(node)) {
      add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, true);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false, { isLater: true });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lines;
}

function resolve(source: ts.SourceFile, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  return path.posix.join(path.posix.dirname(source.fileName), specifier).replace(/\.js$/, '.ts');
}

/** Time, randomness, storage, network, the page: what a module is handed, and never takes while it is imported. */
const ENVIRONMENT = new Set(
  (
    'Date performance crypto window document navigator location screen localStorage sessionStorage indexedDB fetch ' +
    'XMLHttpRequest WebSocket setTimeout setInterval requestAnimationFrame queueMicrotask console process self ' +
    'globalThis addEventListener Phaser'
  ).split(' '),
);

function topLevelReads(source: ts.SourceFile): string[] {
  const reads: string[] = [];
  const visit = (node: ts.Node): void => {
    if (runsLater(node) || ts.isTypeNode(node) || isDeclaredOnly(node)) return;
    if (ts.isPropertyAccessExpression(node) && node.getText(source) === 'Math.random') reads.push('Math.random');
    if (ts.isIdentifier(node) && ENVIRONMENT.has(node.text) && isValue(node)) reads.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return reads;
}

/** A body that is only run when something is called or constructed. */
function runsLater(node: ts.Node): boolean {
  if (ts.isPropertyDeclaration(node)) {
    return !ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword);
  }
  return ts.isFunctionLike(node) && !isCalledAtOnce(node);
}

function isCalledAtOnce(node: ts.Node): boolean {
  const callee = ts.isParenthesizedExpression(node.parent) ? node.parent : node;
  return ts.isCallExpression(callee.parent) && callee.parent.expression === callee;
}

function isDeclaredOnly(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  return (
    ts.canHaveModifiers(node) && !!ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword)
  );
}

/** The identifier itself is evaluated: it is no property's name and no declaration's. */
function isValue(node: ts.Identifier): boolean {
  const named = node.parent as { name?: ts.Node };
  return named.name !== node || ts.isShorthandPropertyAssignment(node.parent);
}
