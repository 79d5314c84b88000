import type * as Phaser from 'phaser';

/** States of a file that the loader asks for (`Phaser.Loader`). */
const PENDING = 10;
const COMPLETE = 17;

const TYPE = 'ad';

/** A set of files: Phaser 3's own `Set` class, or the language's in Phaser 4. */
interface FileSet {
  contains?(file: AdFile): boolean;
  has?(file: AdFile): boolean;
}

/** Members of Phaser's loader that its types leave out. */
interface Loader extends Phaser.Events.EventEmitter {
  readonly inflight: FileSet | null;
  nextFile(file: AdFile, isSuccess: boolean): void;
  fileProcessComplete(file: AdFile): void;
}

/**
 * A file of Phaser's loader that waits for a promise instead of an address, so that its progress bar covers ads. The
 * loader asks a file for no more than what is here. Phaser's own File class would have to be imported at run time, and this
 * package imports no values of Phaser.
 */
export class AdFile {
  readonly type = TYPE;
  state = PENDING;
  crossOrigin: string | undefined = undefined;

  /**
   * @param key names the file in the loader's events: `filecomplete-ad-<key>`
   * @param work may reject; the file then counts as loaded too, for the game goes on without the ad
   */
  constructor(
    private readonly loader: Loader,
    readonly key: string,
    private readonly work: () => Promise<void>,
  ) {}

  load(): void {
    const done = (): void => {
      // A scene that was shut down meanwhile has another list of files, whose count this one must not change.
      if (holds(this.loader.inflight, this)) this.loader.nextFile(this, true);
    };
    this.work().then(done, done);
  }

  onProcess(): void {
    this.state = COMPLETE;
    this.loader.fileProcessComplete(this);
  }

  hasCacheConflict(): boolean {
    return false;
  }

  addToCache(): void {
    // Preloaded ads have a place of their own.
  }

  /** The file is done. It holds nothing that the loader would have to destroy later. */
  pendingDestroy(): void {
    this.loader.emit('filecomplete', this.key, TYPE, undefined);
    this.loader.emit(`filecomplete-${TYPE}-${this.key}`, this.key, TYPE, undefined);
  }
}

/** Adds a file to the loader of a scene, under a key no other file waiting there has. */
export function addAdFile(loader: Phaser.Loader.LoaderPlugin, key: string, work: () => Promise<void>): void {
  const files = loader as unknown as Loader & { list: FileSet };
  let file = new AdFile(files, key, work);
  for (let n = 2; ; n++) {
    loader.addFile(file as unknown as Phaser.Loader.File);
    if (holds(files.list, file) || holds(files.inflight, file)) return;
    file = new AdFile(files, `${key}:${n}`, work);
  }
}

function holds(files: FileSet | null, file: AdFile): boolean {
  return files?.contains?.(file) ?? files?.has?.(file) ?? false;
}
