interface Remembering {
  __clearEvents(): void;
  __clearDrawCalls(): void;
  __clearPath(): void;
}

/**
 * The mock of the canvas remembers all that is ever drawn, with the images, and would fill the heap.
 * @returns makes the contexts that were asked for since then forget it
 */
export function forgetDrawing(): () => void {
  const contexts = new Set<Remembering>();
  const { prototype } = HTMLCanvasElement;
  const getContext = prototype.getContext as (this: HTMLCanvasElement, ...given: unknown[]) => unknown;
  prototype.getContext = function (this: HTMLCanvasElement, ...given: unknown[]) {
    const context = getContext.apply(this, given);
    if (given[0] === '2d') contexts.add(context as Remembering);
    return context;
  } as typeof prototype.getContext;
  return () => {
    for (const context of contexts) {
      context.__clearEvents();
      context.__clearDrawCalls();
      context.__clearPath();
    }
  };
}
