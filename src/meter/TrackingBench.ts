import type * as Phaser from 'phaser';

import type { PageView } from '../page/PageView.js';
import { readPage } from '../page/readPage.js';
import { boundsOf } from '../record/objects/registerBounds.js';
import { FrameReader } from '../rehearsal/FrameReader.js';
import { AlphaMaps } from '../textures/AlphaMaps.js';
import { scratchContext } from '../textures/scratchContext.js';
import type { MeterEngine } from './MeterEngine.js';

type GameObject = Phaser.GameObjects.GameObject;

/**
 * What calls on demand share per game: it reads the scenes as they stand now, with every texture, and treats no object as
 * friendly.
 */
export class TrackingBench {
  readonly reader: FrameReader;
  readonly maps: AlphaMaps;

  constructor(
    private readonly game: Phaser.Game,
    engine: MeterEngine,
  ) {
    this.maps = newAlphaMaps(game, engine, null);
    this.reader = new FrameReader(this.maps, boundsOf(game), engine);
  }

  /** Reads the last frame around some ads, under the page as it is now. */
  read(ads: readonly GameObject[], page = readPage(this.game)): PageView {
    this.maps.beginFrame();
    this.reader.read(this.game, ads, page);
    return page;
  }

  /** Holds no game object between calls. */
  release(): void {
    this.reader.snapshot.release();
  }
}

/** @param spare the window between whose frames textures are read; null to read each when it is asked for */
export function newAlphaMaps(game: Phaser.Game, engine: MeterEngine, spare: Window | null): AlphaMaps {
  const { ownerDocument } = game.canvas;
  return new AlphaMaps(() => performance.now(), () => scratchContext(ownerDocument), engine.pixelsOf(game), spare); // prettier-ignore
}
