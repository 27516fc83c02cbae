/** An error that callers recognize by its code. Its name is the name of its class. */
export abstract class CodedError extends Error {
  override name = this.constructor.name
  abstract readonly code: string
}
