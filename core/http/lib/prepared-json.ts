/** A response body that the route has serialized to JSON itself, with the fields of its schema only. */
export class PreparedJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}
