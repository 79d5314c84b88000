/** Fields that show only their box and the text in them. */
const WRITTEN = /^(?:text|search|tel|url|email|password|number|button)$/;

/** Whether an element paints a picture of its own, whatever its background; false while it has no picture yet. */
export function showsPicture(element: Element, { appearance, content }: CSSStyleDeclaration): boolean {
  if (content.includes('(')) return true;
  switch (element.tagName) {
    case 'IMG': {
      const { naturalWidth, complete, currentSrc } = element as HTMLImageElement;
      // Some browsers report no size for SVG images. In place of a missing picture they show its text or a sign.
      const isAsked = element.matches('[src], [srcset], picture > *, [alt]:not([alt=""])');
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

/** Whether the page of a frame, if it can be read, is empty and has no styles. */
function isClear(frame: HTMLIFrameElement): boolean {
  const page = frame.contentDocument;
  if (!page?.documentElement || !EMPTY.test(page.documentElement.outerHTML)) return false;
  const [around, own] = [frame, page.documentElement].map((one) => getComputedStyle(one).colorScheme);
  // If only one of the two has a dark colour scheme, browsers give the frame a background.
  return around === own && page.body.shadowRoot === null && !page.adoptedStyleSheets?.length;
}
const EMPTY = /^<html><head>(?:(?!<style|<link)[^])*<\/head><body>\s*<\/body><\/html>$/;
