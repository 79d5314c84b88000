import type { PhaserRenderer } from './PhaserRenderer.js';

/** From which vertex of a batch on what is drawn is whose. */
class Marks {
  readonly starts: number[] = [0];
  readonly owners: (object | null)[] = [null];
  count = 1;

  start(owner: object | null): void {
    this.count = 1;
    this.starts[0] = 0;
    this.owners[0] = owner;
  }
}

/**
 * Whose the vertices of a batch are. Batches are drawn late, long after the objects were asked for their vertices, so places
 * in the batch are noted.
 */
export class OwnerMarks {
  /** The camera that is drawing. */
  camera: object | null = null;
  private owner: object | null = null;
  /** Of the batch that is being filled, and of the one that went up last. */
  private filling = new Marks();
  private uploaded = new Marks();

  constructor(private readonly renderer: PhaserRenderer) {}

  /** Forgets all. */
  start(): void {
    this.owner = this.camera = null;
    this.filling.start(null);
    this.uploaded.start(null);
  }

  /** From here on what is drawn is this object's. */
  mark(owner: object | null): void {
    if (owner === this.owner) return;
    this.owner = owner;
    const { filling } = this;
    const at = filling.count++;
    filling.starts[at] = this.renderer.pipelines.current?.vertexCount ?? 0;
    filling.owners[at] = owner;
  }

  /** The batch that was filled goes up. */
  onUpload(): void {
    const { filling, uploaded } = this;
    this.uploaded = filling;
    this.filling = uploaded;
    uploaded.start(this.owner);
  }

  /** Whose is drawn at present. */
  get last(): object | null {
    return this.owner;
  }

  /** Whose a vertex of the uploaded batch is. */
  ownerAt(vertex: number): object | null {
    const { starts, owners, count } = this.uploaded;
    let at = count - 1;
    while (at > 0 && starts[at]! > vertex) at--;
    return owners[at]!;
  }

  /** True when something in the uploaded batch is of an owner of a kind. */
  hasAny(is: (owner: object | null) => boolean): boolean {
    const { owners, count } = this.uploaded;
    for (let i = 0; i < count; i++) if (is(owners[i]!)) return true;
    return false;
  }
}
