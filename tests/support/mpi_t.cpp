// SPDX-License-Identifier: MIT
#include "mpi_t.hpp"

#include <stdexcept>

namespace {

void check(int code, const std::string& what) {
    if (code != MPI_SUCCESS) {
        throw std::runtime_error(what + ": MPI_T error " + std::to_string(code));
    }
}

// A performance variable of class `var_class`, read in a session of its own
class PerformanceVariable {
  public:
    PerformanceVariable(const std::string& name, int var_class, const MPI_Comm* bound) {
        MPI_Comm comm = bound ? *bound : MPI_COMM_NULL;  // gone when the variable is read, as in a tool
        int index = 0;
        check(MPI_T_pvar_get_index(name.c_str(), var_class, &index), name);
        index_ = index;
        check(MPI_T_pvar_session_create(&session_), name);
        check(MPI_T_pvar_handle_alloc(session_, index, bound ? &comm : nullptr, &handle_, &count_), name);
    }
    ~PerformanceVariable() {
        MPI_T_pvar_handle_free(session_, &handle_);
        MPI_T_pvar_session_free(&session_);
    }
    PerformanceVariable(const PerformanceVariable&) = delete;
    PerformanceVariable& operator=(const PerformanceVariable&) = delete;

    template <class Value>
    Value read() const {
        Value value = {};
        check(MPI_T_pvar_read(session_, handle_, &value), "MPI_T_pvar_read");
        return value;
    }
    template <class Value>
    std::vector<Value> read_all() const {
        std::vector<Value> values(static_cast<std::size_t>(count_));
        check(MPI_T_pvar_read(session_, handle_, values.data()), "MPI_T_pvar_read");
        return values;
    }
    int index() const { return index_; }

  private:
    MPI_T_pvar_session session_ = MPI_T_PVAR_SESSION_NULL;
    MPI_T_pvar_handle handle_ = MPI_T_PVAR_HANDLE_NULL;
    int index_ = 0;
    int count_ = 0;
};

std::string item_name(MPI_T_enum enumeration, int value) {
    int items = 0;
    int length = 0;
    check(MPI_T_enum_get_info(enumeration, &items, nullptr, &length), "MPI_T_enum_get_info");
    for (int i = 0; i < items; ++i) {
        char name[256];
        int name_length = sizeof(name);
        int item = 0;
        check(MPI_T_enum_get_item(enumeration, i, &item, name, &name_length), "MPI_T_enum_get_item");
        if (item == value) {
            return name;
        }
    }
    throw std::runtime_error("no item of the enumeration has the value " + std::to_string(value));
}

}  // namespace

ControlVariable::ControlVariable(const std::string& name) {
    int index = 0;
    int count = 0;
    check(MPI_T_cvar_get_index(name.c_str(), &index), name);
    check(MPI_T_cvar_handle_alloc(index, nullptr, &handle_, &count), name);
    found_ = read();
}

ControlVariable::~ControlVariable() {
    MPI_T_cvar_write(handle_, &found_);
    MPI_T_cvar_handle_free(&handle_);
}

int ControlVariable::read() const {
    int value = 0;
    check(MPI_T_cvar_read(handle_, &value), "MPI_T_cvar_read");
    return value;
}

int ControlVariable::write(int value) const {
    return MPI_T_cvar_write(handle_, &value);
}

unsigned long long calls_of(const std::string& algorithm) {
    const PerformanceVariable counter("coll_calls_" + algorithm, MPI_T_PVAR_CLASS_COUNTER, nullptr);
    return counter.read<unsigned long long>();
}

namespace {

// The name of the value of a state that is bound to a communicator
std::string state_of(const std::string& variable, MPI_Comm comm) {
    const PerformanceVariable state(variable, MPI_T_PVAR_CLASS_STATE, &comm);
    char name[256];
    char text[256];
    int name_length = sizeof(name);
    int text_length = sizeof(text);
    int verbosity = 0;
    int var_class = 0;
    int binding = 0;
    int read_only = 0;
    int continuous = 0;
    int atomic = 0;
    MPI_Datatype datatype = MPI_DATATYPE_NULL;
    MPI_T_enum enumeration = MPI_T_ENUM_NULL;
    check(MPI_T_pvar_get_info(state.index(), name, &name_length, &verbosity, &var_class, &datatype,
                              &enumeration, text, &text_length, &binding, &read_only, &continuous, &atomic),
          "MPI_T_pvar_get_info");
    return item_name(enumeration, state.read<int>());
}

}  // namespace

std::string last_algorithm(MPI_Comm comm, const std::string& collective) {
    return state_of("coll_last_" + collective, comm);
}

std::string last_source(MPI_Comm comm, const std::string& collective) {
    return state_of("coll_last_source_" + collective, comm);
}

int last_rule(MPI_Comm comm, const std::string& collective) {
    const PerformanceVariable last("coll_last_rule_" + collective, MPI_T_PVAR_CLASS_GENERIC, &comm);
    return last.read<int>();
}

std::vector<unsigned long long> rule_calls() {
    const PerformanceVariable counters("coll_tuning_rule_calls", MPI_T_PVAR_CLASS_COUNTER, nullptr);
    return counters.read_all<unsigned long long>();
}
