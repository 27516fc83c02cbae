import { inProject } from '../boot/project.mjs'
import { type Step, tool } from './steps.ts'

/**
 * Lets the garbage collector of the type-aware linter, a Go program, run less often. Lint then needs up to
 * 4 GiB of memory, and 30 % less time.
 */
const LESS_GARBAGE_COLLECTION = { GOGC: '400', GOMEMLIMIT: '4GiB' }
const LINTED = /\.(?:[cm]?[jt]s|[jt]sx)$/
/** Matches files whose change may change the results for every file. */
const DECIDES_ABOUT_ALL =
  /(?:^|\/)(?:package(?:-lock)?|tsconfig[\w.-]*|\.oxlintrc|biome)\.json$|^scripts\/lint\//

/**
 * Returns all checks that do not run the code, the longest check first. With a list of changed files, lint
 * and format check only those. The checks for types and dead code always cover the whole project, and have
 * caches of their own.
 */
export function staticSteps(changedFiles: readonly string[] | null = null): Step[] {
  const files = changedFiles?.some((file) => DECIDES_ABOUT_ALL.test(file)) ? null : changedFiles
  const linted = files?.filter((file) => LINTED.test(file)) ?? ['.']
  const lint: Step = {
    name: 'lint',
    script: tool('oxlint', 'bin', 'oxlint'),
    args: ['--deny-warnings', '--report-unused-disable-directives', ...linted],
    env: LESS_GARBAGE_COLLECTION,
  }
  const format: Step = {
    name: 'format',
    script: tool('@biomejs', 'biome', 'bin', 'biome'),
    args: ['ci', '--colors=off', '--no-errors-on-unmatched', ...(files ?? ['.'])],
  }
  return [
    ...(linted.length > 0 ? [lint] : []),
    { name: 'types', script: tool('typescript', 'bin', 'tsc'), args: ['-b', '--noEmit', '.', 'scripts'] },
    {
      name: 'dead code',
      script: tool('knip', 'bin', 'knip.js'),
      args: ['--no-progress', '--cache', '--cache-location', inProject('.cache', 'knip')],
    },
    ...(files?.length === 0 ? [] : [format]),
  ]
}
