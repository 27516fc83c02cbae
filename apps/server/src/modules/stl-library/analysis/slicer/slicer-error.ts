/** A slicer gave nothing to use; the message is for the log. */
export class SlicerError extends Error {
  override name = 'SlicerError'
}
