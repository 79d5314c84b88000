/** `elementsFromPoint` leaves out `pointer-events: none`; a constructed style sheet lifts that for a moment. */
export class HittablePage {
  private sheet: CSSStyleSheet | null = null;

  constructor(private readonly document: Document) {}

  /** Harmless when it has begun. */
  begin(): void {
    if (this.sheet !== null) return;
    const window = this.document.defaultView as unknown as { CSSStyleSheet: typeof CSSStyleSheet };
    try {
      const sheet = new window.CSSStyleSheet();
      sheet.replaceSync('*, ::before, ::after { pointer-events: auto !important; }');
      this.document.adoptedStyleSheets = [...this.document.adoptedStyleSheets, sheet];
      this.sheet = sheet;
    } catch {
      // An old browser: what lets the pointer through is not found.
    }
  }

  end(): void {
    const { document, sheet } = this;
    if (sheet === null) return;
    this.sheet = null;
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  }
}
