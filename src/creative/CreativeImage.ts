/** A decoded image, ready to be uploaded. An `ImageBitmap` is one. */
export interface CreativeImage {
  readonly width: number;
  readonly height: number;
  /** Frees the pixels. A texture that shows the image itself must be gone by then: a restored WebGL context asks for them again. */
  close(): void;
}
