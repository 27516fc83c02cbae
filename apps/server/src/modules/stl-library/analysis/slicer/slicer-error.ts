/** The slicer produced no usable result; the message is for the log. */
export class SlicerError extends Error {
  override name = 'SlicerError'
}
