import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { modelQuery } from '../stl-library.queries.ts'

interface AlreadyThereProps {
  /** The model with the same bytes. */
  id: string
  modelAddress: (id: string) => string
  /** Called when it is opened. */
  onLeave?: () => void
}

/** "Already in the library as bracket", with the way there. */
export function AlreadyThere({ id, modelAddress, onLeave }: AlreadyThereProps) {
  const { data } = useQuery(modelQuery(id))
  return (
    <>
      Already in the library as{' '}
      <Link to={modelAddress(id)} className="link" onClick={onLeave}>
        <bdi>{data?.title ?? 'another model'}</bdi>
      </Link>
    </>
  )
}
