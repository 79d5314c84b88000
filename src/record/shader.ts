import type { DrawnObject } from './phaser3/internals.js';
import type { ObjectReader } from './ObjectReader.js';

interface ShaderObject extends DrawnObject {
  readonly shader: unknown;
  readonly renderToTexture: boolean;
  readonly width: number;
  readonly height: number;
  readonly displayOriginX: number;
  readonly displayOriginY: number;
}

/**
 * A quad of unknown picture, WebGL only; nothing on screen when it draws to a texture. Source: `ShaderWebGLRenderer`,
 * `Shader.load`.
 */
export const readShader: ObjectReader<ShaderObject> = (object, { pen, isWebGL }) => {
  if (!isWebGL || !object.shader || object.renderToTexture) return;
  pen.unmeasurable = true;
  pen.quad(-object.displayOriginX, -object.displayOriginY, object.width, object.height, 1);
};
