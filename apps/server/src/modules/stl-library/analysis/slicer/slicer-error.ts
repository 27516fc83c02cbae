/**
 * Reason for a failure: the slicer took too long (`time`), wrote too much (`size`), needed too much memory
 * (`memory`), is not installed (`missing`), wrote no result (`empty`), or reported an error itself
 * (`failed`).
 */
export type SlicerFault = 'time' | 'size' | 'memory' | 'missing' | 'empty' | 'failed'

/** Thrown if the slicer produced no usable result. The message is for the log. */
export class SlicerError extends Error {
  override name = 'SlicerError'
  readonly kind: SlicerFault
  /** The end of the slicer's error output. */
  readonly complaint: string

  constructor(
    message: string,
    {
      kind = 'failed',
      complaint = '',
      ...options
    }: ErrorOptions & { kind?: SlicerFault; complaint?: string } = {},
  ) {
    super(message, options)
    this.kind = kind
    this.complaint = complaint
  }
}
