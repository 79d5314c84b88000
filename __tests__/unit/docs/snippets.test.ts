import { join, resolve } from 'node:path';
import ts from 'typescript';
import { readSnippets } from '../../helpers/readSnippets.js';

const root = resolve(__dirname, '../../..');

describe('the TypeScript in README and guide', () => {
  const snippets = readSnippets(root);

  it('is there', () => {
    expect(snippets.length).toBeGreaterThan(20);
  });

  it('compiles as it stands', () => {
    const sources = new Map(snippets.map(({ code }, i) => [join(root, `docs/.snippets/${i}.ts`), code]));
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
      config: object;
    };
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
    // What an example leaves unused shows what there is.
    const settings = { ...options, noEmit: true, noUnusedLocals: false, noUnusedParameters: false };
    const host = ts.createCompilerHost(settings);
    const { readFile, fileExists } = host;
    host.readFile = (path) => sources.get(path) ?? readFile.call(host, path);
    host.fileExists = (path) => sources.has(path) || fileExists.call(host, path);
    host.getSourceFile = (path, target) => {
      const text = sources.get(path) ?? readFile.call(host, path);
      return text === undefined ? undefined : ts.createSourceFile(path, text, target);
    };
    const program = ts.createProgram([...sources.keys()], settings, host);
    const faults = [...sources.keys()].flatMap((path, i) => {
      const file = program.getSourceFile(path)!;
      const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
      return found.map(
        ({ messageText }) => `${snippets[i]!.place}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
      );
    });
    expect(faults).toEqual([]);
  });
});
