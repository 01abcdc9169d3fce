import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Finds the section that the user reads, as the page is scrolled. */
export class CurrentPart implements ReactiveController {
  /** The id of that section. */
  name: string;
  private readonly host: ReactiveControllerHost & HTMLElement;
  private observer: IntersectionObserver | undefined;
  private readonly visible = new Set<string>();

  constructor(host: ReactiveControllerHost & HTMLElement, first: string) {
    this.host = host;
    this.name = first;
    host.addController(this);
  }

  hostUpdated(): void {
    if (this.observer !== undefined || typeof IntersectionObserver === 'undefined') return;
    const parts = this.host.querySelectorAll('[data-part=sections] > [id]');
    if (parts.length === 0) return;
    // The upper third of the window, where people read.
    this.observer = new IntersectionObserver((entries) => this.onScroll(entries), { rootMargin: '-10% 0px -65%' });
    for (const part of parts) this.observer.observe(part);
  }

  hostDisconnected(): void {
    this.observer?.disconnect();
    this.observer = undefined;
    this.visible.clear();
  }

  /** Marks a section that the user chose. It may be too short to reach the top of the window. */
  choose(name: string): void {
    this.name = name;
    this.host.requestUpdate();
  }

  private onScroll(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) this.visible.add(target.id);
      else this.visible.delete(target.id);
    }
    const [first] = [...this.host.querySelectorAll('[data-part=sections] > [id]')].filter(({ id }) =>
      this.visible.has(id),
    );
    if (first !== undefined && !this.visible.has(this.name)) this.choose(first.id);
  }
}
