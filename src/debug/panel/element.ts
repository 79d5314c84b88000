/** A new element with a class and a text. */
export function element<K extends keyof HTMLElementTagNameMap>(
  document: Document,
  tag: K,
  className = '',
  text = '',
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  if (text !== '') made.textContent = text;
  return made;
}

/** Sets a text that seldom changes; without a change nothing is laid out anew. */
export function setText(target: Element, words: string): void {
  if (target.textContent !== words) target.textContent = words;
}

/** Shows these lines in a list, each an `li`, and no others. */
export function setLines(list: Element, lines: readonly string[]): void {
  while (list.childElementCount > lines.length) list.lastElementChild!.remove();
  lines.forEach((words, i) => {
    setText(list.children[i] ?? list.appendChild(list.ownerDocument.createElement('li')), words);
  });
}
