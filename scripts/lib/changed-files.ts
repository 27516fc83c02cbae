import { execFileSync } from 'node:child_process'
import { ROOT } from '../boot/project.mjs'

/** Returns the commit at which the branch left `main`, or on `main` itself its last commit. */
export const findBaseCommit = (): string => git('merge-base', 'HEAD', 'main')[0] ?? 'HEAD'

/** Lists the existing files that differ from that commit, including untracked files. */
export const listChangedFiles = (baseCommit: string): string[] => [
  ...git('diff', '--name-only', '--diff-filter=d', '--relative', baseCommit),
  ...git('ls-files', '--others', '--exclude-standard'),
]

function git(...args: string[]): string[] {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean)
}
