import { colorAlpha } from './colorAlpha.js';
import { hasPseudo } from './hasPseudo.js';

/** Fields that show nothing but a background, a border and what is written in them. */
const WRITTEN_FIELDS = new Set(['text', 'search', 'tel', 'url', 'email', 'password', 'number', 'button']);
/** Those on which a browser writes something of its own where the page says nothing. */
const NAMED_BUTTONS = new Set(['submit', 'reset']);
/** Those that, without the look the browser gives them, show nothing else either. */
const MARKED_FIELDS = new Set(['checkbox', 'radio', 'range']);

/** Whether what has a picture of its own paints at present no more than any other element does. */
export function showsNothing(element: Element, { appearance }: CSSStyleDeclaration): boolean {
  switch (element.tagName) {
    case 'IMG':
      return isEmptyImage(element as HTMLImageElement);
    case 'IFRAME':
      return isEmptyFrame(element as HTMLIFrameElement);
    case 'VIDEO':
      return isEmptyVideo(element as HTMLVideoElement);
    case 'CANVAS':
      return (element as HTMLCanvasElement).width === 0 || (element as HTMLCanvasElement).height === 0;
    case 'OBJECT':
      return !element.hasAttribute('data');
    case 'INPUT': {
      const { type } = element as HTMLInputElement;
      if (MARKED_FIELDS.has(type)) return appearance === 'none';
      if (NAMED_BUTTONS.has(type) && element.hasAttribute('value')) return isEmptyField(element as HTMLInputElement);
      return WRITTEN_FIELDS.has(type) && isEmptyField(element as HTMLInputElement);
    }
    case 'TEXTAREA':
      return isEmptyField(element as HTMLTextAreaElement);
    default:
      return false;
  }
}

/** It has no picture (yet), and no words in its stead. */
function isEmptyImage({ naturalWidth, naturalHeight, currentSrc, complete, alt }: HTMLImageElement): boolean {
  if (naturalWidth > 0 || naturalHeight > 0) return false;
  // Some browsers say of drawings that they have no size.
  const isDrawing = complete && /\.svg|image\/svg/.test(currentSrc);
  return !isDrawing && (!complete || alt === '');
}

/** Its page, where it may be asked, has nothing in it and no background. */
function isEmptyFrame(frame: HTMLIFrameElement): boolean {
  const page = frame.contentDocument;
  const root = page?.documentElement;
  const body = page?.body;
  if (!root || !body || body.tagName !== 'BODY') return false;
  if ((body.textContent ?? '').trim() !== '' || body.firstElementChild !== null) return false;
  const [outer, own] = [frame, root].map((one) => getComputedStyle(one));
  // Where it is dark and what is around it is not, or the other way round, browsers give it a background.
  if (outer!.colorScheme !== own!.colorScheme) return false;
  return [root, body].every((one) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(one);
    return backgroundImage === 'none' && colorAlpha(backgroundColor) === 0 && !hasPseudo(one);
  });
}

/** Nothing of its film is known yet, and there is no picture in its stead. */
function isEmptyVideo({ readyState, poster, controls }: HTMLVideoElement): boolean {
  return readyState === 0 && poster === '' && !controls;
}

/** Nobody has written into it. What a browser gives it by itself, such as its look or a white ground, is in its style. */
function isEmptyField({ value, placeholder }: HTMLInputElement | HTMLTextAreaElement): boolean {
  return value === '' && placeholder === '';
}
