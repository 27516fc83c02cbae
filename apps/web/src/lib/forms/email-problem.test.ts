import { expect, test } from 'vitest'
import { emailProblem } from './email-problem.ts'

test.each(['', ' ', 'ada@example.com', ' ada@example.com ', 'jürgen@müller.example', 'root@printers'])(
  'an order accepts the email address %j',
  (text) => expect(emailProblem(text)).toBeNull(),
)

test.each(['not-an-email', 'ada@', '@example.com', 'ada lovelace@example.com', 'ada@one@example.com'])(
  'an order refuses %j as an email address',
  (text) => expect(emailProblem(text)).toBe('Enter an email address such as ada@example.com.'),
)
