import type { ListedModel } from '@pegasus/contracts/stl-library/models'
import { useQuery } from '@tanstack/react-query'
import { modelQuery } from '../stl-library.queries.ts'

/** Returns the model from the list. While it is still being measured, returns its current state on the server. */
export function useMeasuredModel(listed: ListedModel): ListedModel {
  const isPending = listed.analysis_status === 'pending'
  const { data } = useQuery({ ...modelQuery(listed.id), enabled: isPending })
  return (isPending && data) || listed
}
