/**
 * Thrown if the server cannot start. The message says what is wrong and how to correct it. It never contains a
 * password.
 */
export class StartupError extends Error {
  override name = 'StartupError'
}
