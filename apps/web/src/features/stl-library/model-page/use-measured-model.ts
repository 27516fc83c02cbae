import type { StlFile } from '@pegasus/contracts/stl-files'
import { useQuery } from '@tanstack/react-query'
import { modelQuery } from '../stl-library.queries.ts'

/** The model as a list knows it, and, while the server is still measuring it, as the server knows it now. */
export function useMeasuredModel(listed: StlFile): StlFile {
  const isPending = listed.analysis_status === 'pending'
  const { data } = useQuery({ ...modelQuery(listed.id), enabled: isPending })
  return (isPending && data) || listed
}
