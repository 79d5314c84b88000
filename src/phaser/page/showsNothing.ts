/** Fields that show nothing but a background, a border and what is written in them. */
const WRITTEN_FIELDS = new Set(['text', 'search', 'tel', 'url', 'email', 'password', 'number']);

/** Whether what has a picture of its own paints at present no more than any other element does. */
export function showsNothing(element: Element): boolean {
  switch (element.tagName) {
    case 'VIDEO':
      return isEmptyVideo(element as HTMLVideoElement);
    case 'CANVAS':
      return (element as HTMLCanvasElement).width === 0 || (element as HTMLCanvasElement).height === 0;
    case 'OBJECT':
      return !element.hasAttribute('data');
    case 'INPUT':
      return WRITTEN_FIELDS.has((element as HTMLInputElement).type) && isEmptyField(element as HTMLInputElement);
    case 'TEXTAREA':
      return isEmptyField(element as HTMLTextAreaElement);
    default:
      return false;
  }
}

/** Nothing of its film is known yet, and there is no picture in its stead. */
function isEmptyVideo({ readyState, poster, controls }: HTMLVideoElement): boolean {
  return readyState === 0 && poster === '' && !controls;
}

/** Nobody has written into it. What a browser gives it by itself, such as its look or a white ground, is in its style. */
function isEmptyField({ value, placeholder }: HTMLInputElement | HTMLTextAreaElement): boolean {
  return value === '' && placeholder === '';
}
