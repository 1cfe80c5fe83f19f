// The commands of requests (spec 8, 13): submitting, reading, withdrawing and reporting for agents; inbox, scopes, answering and
// history for people.

import { ok } from '../../../shared/failure';
import type { Arrivals } from '../admit';
import { answerRequest, scopesOf } from '../answering';
import type { Core } from '../core';
import type { Handlers } from '../deps';
import { ownSession } from '../lookup';
import { readRequest, report, submit, withAttachment, withdraw } from '../requests';

type RequestCommands = Pick<
  Handlers,
  'request.submit' | 'request.get' | 'request.withdraw' | 'request.report' | 'inbox.list' | 'request.scopes' | 'request.resolve' | 'request.list'
>;

export function requestCommands(core: Core): RequestCommands {
  const arrivals: Arrivals = new Map();
  return {
    'request.submit'(call, caller) {
      const session = ownSession(core, call.session_id, caller);
      return session.ok ? submit(core, arrivals, call, caller) : session;
    },
    'request.get': (input, caller) => readRequest(core, input, caller),
    'request.withdraw': ({ id }, caller) => withdraw(core, id, caller),
    'request.report': (input, caller) => report(core, input, caller),

    'inbox.list': () => ok({ items: [...core.live.pending.values()].map((request) => withAttachment(core, request)) }),
    'request.scopes'({ id }) {
      const offers = scopesOf(core, id);
      return offers.ok ? ok({ items: offers.value }) : offers;
    },
    'request.resolve': (answer, caller) => answerRequest(core, answer, caller),
    'request.list'(filter) {
      const { items, next } = core.store.requests(filter);
      return ok({ items: items.map((request) => withAttachment(core, request)), next });
    },
  };
}
