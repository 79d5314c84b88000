import { boxPaints } from './boxPaints.js';
import { colorAlpha, has } from './css.js';
import { placeOf } from './placeOf.js';
import { hasPseudo } from './pseudoPaints.js';

/** Fields that show only their box and the text in them. */
const WRITTEN = /^(?:text|search|tel|url|email|password|number|button)$/;

/** Whether an element paints a picture of its own, whatever its background; false while it has no picture yet. */
export function showsPicture(element: Element, { appearance, content }: CSSStyleDeclaration): boolean {
  if (content.includes('(')) return true;
  switch (element.tagName) {
    case 'IMG': {
      const { naturalWidth, complete, currentSrc } = element as HTMLImageElement;
      // Some browsers report no size for SVG images. In place of a missing picture they show its text or a sign.
      const isAsked = element.matches('[src], [srcset], picture > *');
      return naturalWidth > 0 || (complete && (isAsked || /\.svg|image\/svg/.test(currentSrc)));
    }
    case 'VIDEO': {
      const { readyState, poster, controls } = element as HTMLVideoElement;
      return readyState > 0 || poster !== '' || controls;
    }
    case 'AUDIO':
      return (element as HTMLAudioElement).controls;
    case 'CANVAS':
      return (element as HTMLCanvasElement).width > 0 && (element as HTMLCanvasElement).height > 0;
    case 'IFRAME':
      return !isClear(element as HTMLIFrameElement);
    case 'OBJECT':
      return element.hasAttribute('data');
    case 'INPUT':
    case 'TEXTAREA': {
      const { type, value, placeholder } = element as HTMLInputElement;
      if (/^(?:checkbox|radio)$/.test(type)) return appearance !== 'none';
      const isNamed = /^(?:submit|reset)$/.test(type) && element.hasAttribute('value');
      return !(isNamed || WRITTEN.test(type) || element.tagName === 'TEXTAREA') || value !== '' || placeholder !== '';
    }
    default:
      return /^(?:EMBED|FENCEDFRAME|SELECT|PROGRESS|METER)$/.test(element.tagName);
  }
}

/** Whether the page of a frame, if it can be read, is empty and has no background. */
function isClear(frame: HTMLIFrameElement): boolean {
  const page = frame.contentDocument;
  const body = page?.body;
  if (!page || body?.tagName !== 'BODY') return false;
  if ((body.textContent ?? '').trim() !== '' || body.firstElementChild !== null) return false;
  // If only one of the two has a dark colour scheme, browsers give the frame a background.
  if (getComputedStyle(frame).colorScheme !== getComputedStyle(page.documentElement).colorScheme) return false;
  const { documentElement: root } = page;
  const isWhole = [root, ...root.children].every((one) => /^(?:HTML|HEAD|BODY)$/.test(one.tagName) && !one.shadowRoot);
  const isBlank = (one: Element): boolean => {
    const style = getComputedStyle(one);
    // The background of an empty body fills the whole page.
    const hasGround = has(style, 'background-image') || colorAlpha(style.backgroundColor) > 0;
    return !hasGround && boxPaints(style, placeOf(one)).length === 0 && !hasPseudo(one);
  };
  return isWhole && isBlank(root) && isBlank(body);
}
