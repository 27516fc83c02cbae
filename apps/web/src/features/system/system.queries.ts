import { getBackups } from '@pegasus/contracts/backups'
import { getSignInRules } from '@pegasus/contracts/auth/sign-in-rules'
import {
  getPrintersAndShops,
  getSystem,
  listFailedTasks,
  listSlowStatements,
} from '@pegasus/contracts/system'
import { apiQuery } from '@/lib/http/api-queries.ts'

export const systemQuery = apiQuery(['system'], getSystem)

export const failedTasksQuery = apiQuery(['system', 'failed-tasks'], listFailedTasks)

export const printersAndShopsQuery = apiQuery(['system', 'printers-and-shops'], getPrintersAndShops)

export const slowStatementsQuery = apiQuery(['system', 'slow-statements'], listSlowStatements)

export const signInRulesQuery = apiQuery(['system', 'sign-in-rules'], getSignInRules)

export const backupsQuery = apiQuery(['backups'], getBackups)
