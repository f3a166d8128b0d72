import { LocalChecks } from '../../../../src/embedded/standalone-ledger/chain/check-locally.ts';
import type { JsonObject } from '../../../../src/embedded/standalone-ledger/codec/json.ts';
import { answer } from '../../../../src/embedded/standalone-ledger/server/answer.ts';
import type { CommandContext } from '../../../../src/embedded/standalone-ledger/server/command.ts';
import { newIdentity } from '../../../../src/embedded/standalone-ledger/server/server-identity.ts';
import { Subscriptions } from '../../../../src/embedded/standalone-ledger/server/subscriptions.ts';
import { Validators } from '../../../../src/embedded/standalone-ledger/validators/validators.ts';
import type { LedgerTip } from '../../../../src/ledger/contract.ts';
import { hashOfTransaction } from '../../../../src/ledger/sha512-half.ts';
import type { SimulatedChain } from './simulated-chain.ts';

/** One server of a network, with limited progress and history. */
export class SimulatedServer {
  readonly name: string;
  chain: SimulatedChain;
  /** Number of ledgers behind the chain. */
  lag = 0;
  /** When true, sockets stay open without answers or messages. */
  silent = false;
  /** Number of requests to refuse with slowDown. */
  slowedDown = 0;
  /** Forgotten range of the network's own chain. Another chain is passed without history. */
  forgotten: { readonly first: number; readonly last: number } | null = null;
  readonly #home: SimulatedChain;
  readonly #seen = new Set<string>();

  constructor(name: string, chain: SimulatedChain) {
    this.name = name;
    this.chain = chain;
    this.#home = chain;
  }

  /** The newest visible ledger, at least the first ledger of the chain. */
  get tip(): LedgerTip {
    const { ledgers, closeTimes } = this.chain.record;
    const index = Math.max(Math.min(...ledgers.keys()), this.chain.record.tip - this.lag);
    return { index, hash: ledgers.get(index) ?? '', closeTime: closeTimes.get(index) ?? 0 };
  }

  /** Forgets submitted transactions that are in no ledger of this server. */
  restart(): void {
    this.#seen.clear();
  }

  /** Answers like rippled, from the ledgers of this server. */
  ask(request: JsonObject): JsonObject {
    if (this.slowedDown > 0) {
      this.slowedDown -= 1;
      return { error: 'slowDown', status: 'error' };
    }
    const { command } = request;
    if (command === 'submit') return this.#submit(request);
    const whole = this.#answer(request);
    if (command === 'account_info') return this.#accountAtTip(whole);
    if (command === 'ledger' && !this.#has(Number(request.ledger_index)))
      return notFound('lgrNotFound');
    return command === 'tx' ? this.#transaction(request, whole) : whole;
  }

  #submit(request: JsonObject): JsonObject {
    const { chain } = this;
    this.#seen.add(hashOfTransaction(Buffer.from(String(request.tx_blob), 'hex')));
    if (chain.vanishing > 0) {
      chain.vanishing -= 1;
      return {
        status: 'success',
        result: { engine_result: 'tesSUCCESS', engine_result_message: '' },
      };
    }
    return this.#answer(request);
  }

  #accountAtTip(whole: JsonObject): JsonObject {
    const result = whole.result as JsonObject | undefined;
    if (result === undefined) return whole;
    const data = result.account_data as JsonObject;
    const sequence = this.chain.record.sequences.get(this.tip.index)?.get(String(data.Account));
    if (!sequence) return notFound('actNotFound');
    return { ...whole, result: { ...result, account_data: { ...data, Sequence: sequence } } };
  }

  #transaction(request: JsonObject, whole: JsonObject): JsonObject {
    const result = whole.result as JsonObject | undefined;
    if (result?.validated === true && this.#has(Number(result.ledger_index))) return whole;
    if (this.#seen.has(String(request.transaction))) {
      return { status: 'success', result: { hash: request.transaction ?? null, validated: false } };
    }
    const [first, last] = [Number(request.min_ledger), Number(request.max_ledger)];
    let searched = true;
    for (let index = first; index <= last; index += 1) searched &&= this.#has(index);
    return { ...notFound('txnNotFound'), searched_all: searched };
  }

  #has(index: number): boolean {
    const { first, last } = this.forgotten ?? { first: 1, last: 0 };
    const forgets = this.chain === this.#home && index >= first && index <= last;
    const known = this.chain.record.ledgers.has(index) && index <= this.tip.index;
    return known && !forgets;
  }

  #answer(request: JsonObject): JsonObject {
    const client = { subscriptions, isAdministrator: true };
    const context: CommandContext = {
      node: this.chain.node,
      checks,
      server,
      validators,
      ...client,
    };
    return answer(context, { api_version: 2, ...request }, (bug) => {
      throw bug;
    });
  }
}

function notFound(error: string): JsonObject {
  return { error, status: 'error' };
}

const checks = new LocalChecks();
const subscriptions = new Subscriptions();
const validators = new Validators({ clock: () => 0 });
const server = newIdentity({ buildVersion: 'proofmark-simulated', port: 0, clock: () => 0 });
