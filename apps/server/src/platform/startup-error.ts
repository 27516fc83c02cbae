/**
 * The product cannot start. The message is one sentence for the person who starts the product: what is wrong,
 * and what to do. It never contains a password.
 */
export class StartupError extends Error {
  override name = 'StartupError'
}
