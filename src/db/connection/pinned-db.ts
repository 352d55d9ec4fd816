import { Db, WriteConcern, type Collection, type CollectionOptions, type Document, type MongoClient } from 'mongodb';
import { writeConcernFor, type Deployment } from './deployment.js';

/**
 * A database whose write concern follows the deployment. The driver fixes the write concern of a collection when it is
 * opened, before the deployment is known.
 */
export class PinnedDb extends Db {
  /** @param deployment from `watchDeployment` */
  constructor(
    client: MongoClient,
    name: string,
    private readonly deployment: () => Deployment | undefined,
  ) {
    super(client, name, client.options);
  }

  override get writeConcern(): WriteConcern {
    return WriteConcern.fromOptions({ writeConcern: writeConcernFor(this.deployment()) })!;
  }

  override collection<Schema extends Document = Document>(
    name: string,
    options?: CollectionOptions,
  ): Collection<Schema> {
    const collection = super.collection<Schema>(name, options);
    return Object.defineProperty(collection, 'writeConcern', { get: () => this.writeConcern });
  }
}
