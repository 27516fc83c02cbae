import { getBackups } from '@pegasus/contracts/backups'
import { getSystem } from '@pegasus/contracts/system'
import { apiQuery } from '@/lib/http/api-queries.ts'

export const systemQuery = apiQuery(['system'], getSystem)

export const backupsQuery = apiQuery(['backups'], getBackups)
