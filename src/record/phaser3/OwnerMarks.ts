import type { PhaserRenderer } from './PhaserRenderer.js';

/** Owners of a batch's vertices: each mark holds from its start vertex on. */
class Marks {
  readonly starts: number[] = [0];
  readonly owners: (object | null)[] = [null];
  readonly cameras: (object | null)[] = [null];
  count = 1;
  /** The mark that was last looked up. */
  at = 0;
  /** Last answer of {@link OwnerMarks.hasAny}; null before it was asked. */
  hasAny: boolean | null = null;

  start(owner: object | null, camera: object | null): void {
    this.count = 1;
    this.cameras[0] = camera;
    this.at = 0;
    this.hasAny = null;
    this.starts[0] = 0;
    this.owners[0] = owner;
  }
}

/**
 * The object and camera that each vertex of a batch belongs to. A batch is drawn long after its objects wrote their
 * vertices, so their places in the batch are noted.
 */
export class OwnerMarks {
  /** Everything drawn counts as part of this object, whatever {@link mark} says; null for none. */
  within: object | null = null;
  private camera: object | null = null;
  private owner: object | null = null;
  /** Marks of the batch that is being filled, and of the batch uploaded last. */
  private filling = new Marks();
  private uploaded = new Marks();

  constructor(private readonly renderer: PhaserRenderer) {}

  /** Forgets all. */
  start(): void {
    this.owner = this.camera = this.within = null;
    this.filling.start(null, null);
    this.uploaded.start(null, null);
  }

  /** From here on this camera draws. */
  turnTo(camera: object | null): void {
    this.camera = camera;
    this.note(null);
  }

  /** From here on what is drawn is this object's. */
  mark(owner: object | null): void {
    const whose = this.within ?? owner;
    if (whose !== this.owner) this.note(whose);
  }

  private note(owner: object | null): void {
    this.owner = owner;
    const { filling } = this;
    const at = filling.count++;
    filling.starts[at] = this.renderer.pipelines.current?.vertexCount ?? 0;
    filling.owners[at] = owner;
    filling.cameras[at] = this.camera;
  }

  /** The batch that was filled is uploaded. */
  onUpload(): void {
    const { filling, uploaded } = this;
    this.uploaded = filling;
    this.filling = uploaded;
    uploaded.start(this.owner, this.camera);
  }

  /** The object that is being drawn. */
  get last(): object | null {
    return this.owner;
  }

  /** The camera that is drawing. */
  get lastCamera(): object | null {
    return this.camera;
  }

  /** The object that a vertex of the uploaded batch belongs to. */
  ownerAt(vertex: number): object | null {
    return this.uploaded.owners[this.markAt(vertex)]!;
  }

  /** The camera that drew a vertex of the uploaded batch. */
  cameraAt(vertex: number): object | null {
    return this.uploaded.cameras[this.markAt(vertex)]!;
  }

  private markAt(vertex: number): number {
    const { uploaded } = this;
    const { starts, count } = uploaded;
    // Mostly asked in ascending order.
    let { at } = uploaded;
    if (at >= count || starts[at]! > vertex) at = 0;
    while (at + 1 < count && starts[at + 1]! <= vertex) at++;
    return (uploaded.at = at);
  }

  /** True when some owner in the uploaded batch passes the test, which must be the same for all calls about that batch. */
  hasAny(is: (owner: object | null) => boolean): boolean {
    const { uploaded } = this;
    if (uploaded.hasAny === null) {
      uploaded.hasAny = false;
      for (let i = 0; i < uploaded.count && !uploaded.hasAny; i++) uploaded.hasAny = is(uploaded.owners[i]!);
    }
    return uploaded.hasAny;
  }
}
