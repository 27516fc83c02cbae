import { getDemo } from '@pegasus/contracts/demo'
import { apiQuery } from '@/lib/http/api-queries.ts'

export const demoQuery = apiQuery(['demo'], getDemo)
