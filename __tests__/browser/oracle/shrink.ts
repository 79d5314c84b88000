import type { StageSpec } from './SceneSpec.js';

/** Parts of a spec that must stay for it to build. */
const NEEDED = new Set(['kind', 'name', 'x', 'y', 'scenes', 'cameras', 'objects', 'type', 'shape', 'width', 'height']);

/**
 * The smallest scene that still fails: takes away objects, scenes, cameras, masks and settings one after the other, and
 * keeps each change under which `fails` still holds.
 */
export function shrink(spec: StageSpec, fails: (spec: StageSpec) => boolean): StageSpec {
  let smallest = structuredClone(spec);
  for (let changed = true; changed;) {
    changed = false;
    for (const change of changesOf(smallest)) {
      const candidate = structuredClone(smallest);
      if (!change(candidate)) continue;
      if (fails(candidate)) {
        smallest = candidate;
        changed = true;
        break;
      }
    }
  }
  return smallest;
}

type Path = (string | number)[];

/** Every way to make a spec smaller, the greatest steps first. Each returns false if it changes nothing. */
function changesOf(spec: StageSpec): ((spec: StageSpec) => boolean)[] {
  const removals: Path[] = [];
  const groups: Path[] = [];
  const settings: Path[] = [];
  const numbers: Path[] = [];
  const visit = (value: unknown, path: Path): void => {
    if (Array.isArray(value)) {
      value.forEach((entry: unknown, index) => {
        if (typeof entry === 'object' && entry !== null && !Array.isArray(entry) && !holdsAd(entry))
          removals.push([...path, index]);
        visit(entry, [...path, index]);
      });
    } else if (typeof value === 'object' && value !== null) {
      if ('children' in value && path.length > 0) groups.push(path);
      for (const [key, part] of Object.entries(value)) {
        if (!NEEDED.has(key) && key !== 'options' && key !== 'children' && !path.includes('options'))
          settings.push([...path, key]);
        visit(part, [...path, key]);
      }
    } else if (typeof value === 'number' && !Number.isInteger(value)) numbers.push(path);
  };
  visit(spec, []);
  return [
    ...removals.map((path) => (target: StageSpec) => removeAt(target, path)),
    ...groups.map((path) => (target: StageSpec) => replaceByChildren(target, path)),
    ...settings.map((path) => (target: StageSpec) => removeAt(target, path)),
    ...numbers.map((path) => (target: StageSpec) => roundAt(target, path)),
  ];
}

function holdsAd(value: object): boolean {
  return JSON.stringify(value).includes('"kind":"ad"');
}

function parentAt(target: StageSpec, path: Path): Record<string | number, unknown> {
  let at = target as unknown as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) at = at[step] as Record<string | number, unknown>;
  return at;
}

function removeAt(target: StageSpec, path: Path): boolean {
  const parent = parentAt(target, path);
  const last = path[path.length - 1]!;
  if (Array.isArray(parent)) parent.splice(last as number, 1);
  else Reflect.deleteProperty(parent, last);
  return true;
}

function replaceByChildren(target: StageSpec, path: Path): boolean {
  const parent = parentAt(target, path);
  if (!Array.isArray(parent)) return false;
  const index = path[path.length - 1] as number;
  const group = parent[index] as { x: number; y: number; kind: string; children: { x: number; y: number }[] };
  const moved = group.children.map((child) =>
    group.kind === 'container' ? { ...child, x: child.x + group.x, y: child.y + group.y } : child,
  );
  parent.splice(index, 1, ...moved);
  return true;
}

function roundAt(target: StageSpec, path: Path): boolean {
  const parent = parentAt(target, path);
  const last = path[path.length - 1]!;
  const value = parent[last] as number;
  const rounder = Math.abs(value) >= 3 ? Math.round(value) : Math.round(value * 10) / 10;
  if (rounder === value) return false;
  parent[last] = rounder;
  return true;
}
