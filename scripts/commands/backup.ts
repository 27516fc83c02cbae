import { parseArgs } from 'node:util'
import { backupNotes, endWithSentence, say } from '../lib/backup-command.ts'

const USAGE = 'Usage: npm run backup -- [FOLDER] [--keep NUMBER], or npm run backup -- --verify FOLDER'

await endWithSentence(async ({ backups, options, refuse }) => {
  const { values, positionals } = readArguments(refuse)
  const folder = positionals[0] ?? options.config.backupDir
  if (values.verify) {
    const backup = await backups.findBackup(folder)
    const manifest = await backups.checkBackup(backup, options.config)
    return say(`${backup} is complete: ${backupNotes(manifest)}.`)
  }
  const keep = values.keep === undefined ? null : Number(values.keep)
  if (keep !== null && !(Number.isSafeInteger(keep) && keep > 0)) throw refuse(USAGE)
  const { path, manifest, newObjects, removed, damaged, failures } = await backups.makeBackup(folder, {
    ...options,
    keep,
  })
  say(`wrote ${path}: ${backupNotes(manifest)}, ${newObjects} of them new.`)
  for (const name of removed) say(`removed the old backup ${name}`)
  for (const name of damaged)
    say(`the backup ${name} is damaged or has another key, so files of removed backups may be kept`)
  for (const failure of failures) say(`an old backup could not be removed: ${failure}`)
  if (options.config.backupKey === null)
    say(
      'The backup is not encrypted, and does not contain the root secret: keep a copy of the secret elsewhere.',
    )
})

function readArguments(refuse: (sentence: string) => Error) {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { keep: { type: 'string' }, verify: { type: 'boolean', default: false } },
    })
  } catch {
    throw refuse(USAGE)
  }
}
