import { StartupError } from '../../startup-error.ts'
import type { PostgresAccount } from './postgres-account.ts'

const MAX_OUTPUT = 16_000

/**
 * Runs one of PostgreSQL's programs under its account, and waits until the program ends. If it fails, throws
 * StartupError with the line of output that explains the failure.
 */
export async function runCommand(
  account: PostgresAccount,
  command: string,
  args: readonly string[],
  input = '',
): Promise<void> {
  const child = account.spawn(command, args, ['pipe', 'pipe', 'pipe'])
  let output = ''
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(-MAX_OUTPUT)
  }
  child.stdout?.on('data', collect)
  child.stderr?.on('data', collect)
  // If the program ends without reading its input, the EPIPE error must not end this process. The exit code
  // is enough.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
  const code = await new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (exitCode, signal) => resolve(exitCode ?? signal ?? 'unknown'))
  })
  if (code !== 0)
    throw new StartupError(`The built-in PostgreSQL could not be set up: ${lastOutputLines(output) || code}.`)
}

/** Returns the line of PostgreSQL's output that explains the failure. */
export function lastOutputLines(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const message =
    lines.findLast((line) => /\b(FATAL|PANIC|error|could not|cannot)\b/i.test(line)) ?? lines.at(-1) ?? ''
  return message.replace(/^.*?\b(FATAL|PANIC|ERROR|initdb: error|postgres):\s*/, '').replace(/\.$/, '')
}
