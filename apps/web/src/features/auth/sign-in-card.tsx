import type { FormEventHandler, ReactNode } from 'react'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Button } from '@/components/ui/actions/button.tsx'

interface SignInCardProps {
  title: string
  /** An explanation below the title. */
  intro?: ReactNode
  /** A message about an earlier success, until a failure replaces it. */
  notice?: ReactNode
  /** The last failure as a text or an alert, shown above the fields. */
  failure: ReactNode
  isPending: boolean
  isDisabled?: boolean
  submitText: string
  onSubmit: FormEventHandler<HTMLFormElement>
  /** Links to other screens, below the button. */
  ways?: ReactNode
  children: ReactNode
}

export function SignInCard(props: SignInCardProps) {
  const { title, intro, notice, failure, isPending, isDisabled, submitText, onSubmit, ways } = props
  return (
    <form noValidate onSubmit={onSubmit} className={cardClass}>
      <CardTitle>{title}</CardTitle>
      {intro ? <p className="-mt-2 text-ink-2 wrap-anywhere">{intro}</p> : null}
      {typeof failure === 'string' ? <AlertBox title={failure} /> : (failure ?? notice)}
      {props.children}
      <Button
        type="submit"
        variant="primary"
        size="lg"
        isPending={isPending}
        disabled={isDisabled}
        className="mt-0.5"
      >
        {submitText}
      </Button>
      {ways}
    </form>
  )
}

export const cardClass =
  'flex flex-col gap-3.5 rounded-card border border-line bg-surface px-6 pt-5 pb-6 phone:px-4'

export const CardTitle = ({ children }: { children: ReactNode }) => (
  <h2 className="text-[1rem] leading-6 font-[620] wrap-anywhere">{children}</h2>
)
