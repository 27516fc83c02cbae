import { backupNotes, endWithSentence, say } from '../lib/backup-command.ts'

await endWithSentence(async ({ backups, options, refuse }) => {
  const [from, ...rest] = process.argv.slice(2)
  if (from === undefined || rest.length > 0) throw refuse('Usage: npm run restore -- FOLDER')
  const backup = await backups.findBackup(from)
  const manifest = await backups.restoreBackup(backup, options)
  say(`restored ${backup} of ${manifest.madeAt}: ${backupNotes(manifest)}. Start the server with npm start.`)
})
