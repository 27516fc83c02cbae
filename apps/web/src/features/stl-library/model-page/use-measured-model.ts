import type { Model } from '@pegasus/contracts/stl-library/models'
import { useQuery } from '@tanstack/react-query'
import { modelQuery } from '../stl-library.queries.ts'

/** The model as a list knows it, and, while the server is still measuring it, as the server knows it now. */
export function useMeasuredModel(listed: Model): Model {
  const isPending = listed.analysis_status === 'pending'
  const { data } = useQuery({ ...modelQuery(listed.id), enabled: isPending })
  return (isPending && data) || listed
}
