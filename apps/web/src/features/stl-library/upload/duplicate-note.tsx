import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { modelQuery } from '../stl-library.queries.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

interface AlreadyThereProps {
  /** Id of the model with the same bytes. */
  id: string
  modelAddress: (id: string) => string
  /** Called when the link to the model is followed. */
  onLeave?: () => void
}

/** A note such as "Already in the library as bracket", with a link to the model. */
export function AlreadyThere({ id, modelAddress, onLeave }: AlreadyThereProps) {
  const { data } = useQuery(modelQuery(id))
  return (
    <>
      {rich('Already in the library as {model}', {
        model: (
          <Link to={modelAddress(id)} className="link" onClick={onLeave}>
            <bdi>{data?.title ?? t('another model')}</bdi>
          </Link>
        ),
      })}
    </>
  )
}
