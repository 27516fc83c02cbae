import { execFileSync } from 'node:child_process'
import { ROOT } from '../boot/project.mjs'

/** The commit that the branch began with: where it left `main`, or the last commit on `main` itself. */
export const findBaseCommit = (): string => git('merge-base', 'HEAD', 'main')[0] ?? 'HEAD'

/** Existing files that differ from that commit, including untracked ones. */
export const listChangedFiles = (baseCommit: string): string[] => [
  ...git('diff', '--name-only', '--diff-filter=d', '--relative', baseCommit),
  ...git('ls-files', '--others', '--exclude-standard'),
]

function git(...args: string[]): string[] {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean)
}
