/** A response body that a route has written as JSON by itself, with the fields of its schema only. */
export class PreparedJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}
