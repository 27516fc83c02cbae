import { endWithSentence, say } from '../lib/backup-command.ts'

await endWithSentence(async ({ backups, options, refuse }) => {
  const [path, ...rest] = process.argv.slice(2)
  if (path === undefined || rest.length > 0) throw refuse('Usage: npm run export -- FILE.tar.gz')
  const written = await backups.makeExport(path, options)
  say(`wrote ${written.path}: ${written.rows} rows of ${written.tables} tables, as CSV and as JSON Lines.`)
})
