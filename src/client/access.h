#pragma once

#include <functional>
#include <memory>

#include "base/capacities.h"
#include "base/status.h"
#include "client/call.h"
#include "palena/client.h"
#include "wire/codec.h"

namespace palena::client {

// What the rest of this room, and tests, need of a client beyond its public face.
struct Access {
  // Starts a call, whose end hears of the answer; or makes one, starts it and waits for that.
  static void Start(Client& client, std::unique_ptr<Call> call);
  static base::StatusOr<wire::ServerMessage> Wait(
      Client& client, const std::function<std::unique_ptr<Call>(Call::Done)>& make);
  // With internal capacities of the caller's choice.
  static StatusOr<std::unique_ptr<Client>> Connect(const ClientOptions& options,
                                                   const base::Capacities& capacities);
};

}  // namespace palena::client
