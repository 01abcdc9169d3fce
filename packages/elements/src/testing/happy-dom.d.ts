/** The one class that tests use, so that the compiler does not load the declarations of a second DOM. */
declare module 'happy-dom' {
  export class Window {
    constructor(options: { readonly url: string });
  }
}
