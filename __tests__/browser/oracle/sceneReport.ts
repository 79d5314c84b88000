import type { Finding } from './judge.js';
import type { ObjectSpec, StageSpec } from './SceneSpec.js';
import { objectsOf } from './SceneSpec.js';

/** What one scene of the laboratory showed; plain data. */
export interface SceneReport {
  seed: number;
  /** Types of object in the scene, sorted. */
  kinds: string[];
  /** Features in the scene beyond plain objects, sorted. */
  features: string[];
  /** Visible share in percent of the camera that shows most, by the picture. */
  truth: number;
  /**
   * How far the picture of the bare ad is from the arithmetic, percent of the ad: the oracle's own error. Null when
   * the ad is not drawn or is cut, so that the two cannot be compared.
   */
  oracleError: number | null;
  findings: Finding[];
  /** Why the scene could not be built or judged. */
  failure?: string;
}

export function kindsIn(spec: StageSpec): string[] {
  return [...new Set([...objectsOf(spec)].map(({ kind }) => kind).filter((kind) => kind !== 'ad'))].sort();
}

/** Names of what the scene uses beyond plain objects in one camera. */
export function featuresIn(spec: StageSpec): string[] {
  const found = new Set<string>();
  if (spec.scenes.length > 1) found.add('several scenes');
  for (const scene of spec.scenes) {
    if (scene.state) found.add(`scene ${scene.state}`);
    if (scene.cameras.length > 1) found.add('several cameras');
    for (const camera of scene.cameras) {
      for (const [part, value] of Object.entries(camera)) {
        if (part === 'zoom' && camera.zoom![0] !== camera.zoom![1]) found.add('camera uneven zoom');
        else if (value !== undefined) found.add(`camera ${part}`);
      }
    }
  }
  const visit = (object: ObjectSpec, inside: string): void => {
    const who = object.kind === 'ad' ? 'ad ' : '';
    if (inside) found.add(`${who}in ${inside}`);
    for (const part of [
      'origin',
      'flip',
      'alpha',
      'corners',
      'scrollFactor',
      'blend',
      'crop',
      'hidden',
      'depth',
    ] as const) {
      if (object[part] !== undefined) found.add(`${who}${part}`);
    }
    if (object.scale && (object.scale[0] < 0 || object.scale[1] < 0)) found.add(`${who}negative scale`);
    if (object.rotation !== undefined) found.add(`${who}rotation`);
    if (object.mask) found.add(`${who}${object.mask.type} mask${object.mask.invert ? ' inverted' : ''}`);
    if (object.kind === 'ad') found.add(`ad ${String(object.options['variant'])}`);
    for (const child of object.children ?? []) visit(child, object.kind);
  };
  for (const scene of spec.scenes) for (const object of scene.objects) visit(object, '');
  return [...found].sort();
}
