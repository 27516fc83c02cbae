import { inProject } from '../boot/project.mjs'
import { type Step, tool } from './steps.ts'

/**
 * Variables for the type-aware linter, a Go program. They make its garbage collector run less often. Lint then needs up
 * to 4 GiB of memory and 30 % less time.
 */
const LESS_GARBAGE_COLLECTION = { GOGC: '400', GOMEMLIMIT: '4GiB' }
const LINTED = /\.(?:[cm]?[jt]s|[jt]sx)$/
/** Matches files that can change the results for all other files. If one of them has changed, everything is checked. */
const DECIDES_ABOUT_ALL =
  /(?:^|\/)(?:package(?:-lock)?|tsconfig[\w.-]*|\.oxlintrc|biome)\.json$|^scripts\/lint\//

/**
 * Returns all checks that do not run the code, the slowest one first. If changed files are given, lint and format check
 * only these. The checks for types and dead code always check the whole project, and have their own caches.
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
