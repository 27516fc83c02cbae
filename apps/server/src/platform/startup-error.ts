/**
 * The server cannot start. The message tells the person who starts it what is wrong, and what to do. It never contains
 * a password.
 */
export class StartupError extends Error {
  override name = 'StartupError'
}
