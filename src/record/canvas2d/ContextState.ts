import { type Extras, NO_EXTRAS, type Style } from './CanvasDraws.js';

/** What `save` keeps and `restore` brings back. */
export class ContextState {
  a = 1;
  b = 0.5;
  c = 0.5;
  d = 1;
  e = 0.5;
  f = 0.5;
  alpha = 0.5;
  composite = 'source-over';
  isSmooth = true;
  fillStyle: Style = '#000000';
  strokeStyle: Style = '#000000';
  lineWidth = 1.5;
  extras: Extras = NO_EXTRAS;
  clip = -1;

  /** Sets the state of a new context. */
  begin(): void {
    this.a = this.d = this.alpha = this.lineWidth = 1;
    this.b = this.c = this.e = this.f = 0;
    this.composite = 'source-over';
    this.isSmooth = true;
    this.fillStyle = this.strokeStyle = '#000000';
    this.extras = NO_EXTRAS;
    this.clip = -1;
  }

  copy(from: ContextState): void {
    this.a = from.a;
    this.b = from.b;
    this.c = from.c;
    this.d = from.d;
    this.e = from.e;
    this.f = from.f;
    this.alpha = from.alpha;
    this.composite = from.composite;
    this.isSmooth = from.isSmooth;
    this.fillStyle = from.fillStyle;
    this.strokeStyle = from.strokeStyle;
    this.lineWidth = from.lineWidth;
    this.extras = from.extras;
    this.clip = from.clip;
  }
}
