/**
 * A text of somebody else's server as it may be printed: one line, cut, and without what may be private. A refusal may
 * repeat what it was sent, such as identifiers of the player.
 */
export function quoteForeign(text: string, maxLength = 500): string {
  const line = text
    // Only so much is looked at: the text may be as long as an answer. Of a word that is cut nobody knows what it is.
    .slice(0, 2 * maxLength)
    .replace(text.length > 2 * maxLength ? /[^\s"'<>]{1,256}$/ : '', '')
    .replace(/[\p{Cc}\p{Cf}\p{Surrogate}\s]+/gu, ' ')
    .trim()
    .replace(/[^\s"'<>@]{1,256}@[^\s"'<>@]+/g, '(e-mail)')
    // A token, a consent string: longer than any id (a UUID has 36).
    .replace(/[\w+=-]{40,}/g, '(hidden)');
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}
