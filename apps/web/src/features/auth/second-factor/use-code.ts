import { useRef, useState } from 'react'

interface CodeOptions {
  /** Has the code judged; what it throws is told. */
  onCheck: (code: string) => Promise<void>
  describeError: (error: unknown) => string
  /** What to say of an empty field, or of one that lacks digits. */
  incomplete: string
  minLength: number
}

/** A code, or a password, on its way from somebody's hand to the server's judgement. */
export function useCode({ onCheck, describeError, incomplete, minLength }: CodeOptions) {
  const [code, setCode] = useState('')
  const [failure, setFailure] = useState<string | null>(null)
  const [isPending, setIsPending] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  function tell(sentence: string): void {
    setFailure(sentence)
    // Whatever is typed next takes its place.
    input.current?.select()
  }

  async function submit(given: string): Promise<void> {
    if (isPending) return
    if (given.length < minLength) return tell(incomplete)
    setFailure(null)
    setIsPending(true)
    try {
      await onCheck(given)
    } catch (error) {
      tell(describeError(error))
    }
    setIsPending(false)
  }

  return {
    failure,
    isPending,
    submit: () => void submit(code),
    reset: () => {
      setCode('')
      setFailure(null)
    },
    field: {
      ref: input,
      value: code,
      onChange: (text: string) => {
        if (!isPending) setCode(text)
      },
      onComplete: (text: string) => void submit(text),
    },
  }
}
